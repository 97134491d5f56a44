/** The actions that the audit log records, with their meanings. */
export const AUDIT_ACTIONS = {
  'signed-in': 'Somebody signed in.',
  'sign-in-failed': 'A password, a code or a passkey was wrong.',
  'signed-out': 'Somebody signed out.',
  'session-revoked': 'A session was ended from another one.',
  'sign-up-asked': 'Somebody asked for an account by signing up.',
  'account-created': 'An operator created an account.',
  'account-verified': 'The owner followed a link in a mail, or an operator confirmed the address.',
  'account-disabled': 'The keys and the password of an account stopped working.',
  'account-enabled': 'The keys and the password of an account work again.',
  'account-deleted': 'An account was deleted with all that belongs to it.',
  'operator-changed': 'An account gained or lost the operator role.',
  'plan-changed': 'An account has another plan, or other limits than its plan.',
  'password-changed': 'An owner changed the password.',
  'reset-link-made': 'An operator made a link to set a password.',
  'reset-link-asked': 'Somebody asked for a mail with a link to set a password.',
  'password-reset': 'A password was set by a link.',
  'second-factor-changed': 'A second factor was added, removed or used up.',
  'key-created': 'An API key was made.',
  'key-changed': 'An API key was replaced, or may do something else.',
  'key-revoked': 'An API key stopped working.',
  'alert-changed': 'An operator added, paused, resumed or removed an alert of an account.',
  'webhook-changed': 'A webhook was added, changed, disabled or deleted.',
  'quarantine-decided': 'Quarantined prices were approved or rejected, or a decision was undone.',
  'sync-started': 'An operator started a sync of a source, or of all.',
  'rolled-back': 'An import of a source was rolled back.',
  'backed-up': 'The database was backed up by `cardprice backup`.',
  'settings-changed': 'The service started with other settings than before, or a plan changed.',
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The kinds of actors, with descriptions. */
export const ACTORS = {
  account: 'somebody in the dashboard',
  operator: 'an operator in the dashboard, or with an API key',
  command: 'the command line',
  service: 'the service itself',
} as const;

export type ActorKind = keyof typeof ACTORS;
