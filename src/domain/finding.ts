/** What an examination of the service found, and the command or the action that fixes it. */
export interface Finding {
  readonly about: 'settings' | 'database' | 'accounts' | 'disk' | 'clock' | 'sources' | 'pages';
  readonly state: 'good' | 'warning' | 'wrong';
  readonly says: string;
  /** What to do; `''` where there is nothing to do. */
  readonly mend: string;
}
