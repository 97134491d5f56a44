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
  /** What to do; `''` if nothing needs to be done. */
  readonly fix: string;
}
