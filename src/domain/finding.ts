/** A finding about the service, with the command or action that fixes it. */
export interface Finding {
  readonly about:
    | 'settings'
    | 'database'
    | 'accounts'
    | 'disk'
    | 'memory'
    | 'clock'
    | 'backups'
    | 'certificates'
    | 'sources'
    | 'pages';
  readonly state: 'good' | 'warning' | 'wrong';
  readonly says: string;
  /** The remedy; `''` if there is nothing to do. */
  readonly fix: string;
}
