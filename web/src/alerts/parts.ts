/** The code about alerts, loaded as one file at its first use. */

export { AlertDialog } from './alert-dialog.tsx';
export { AlertsPage } from './alerts-page.tsx';
export { UnsubscribePage } from './unsubscribe-page.tsx';
