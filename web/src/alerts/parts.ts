/** What is loaded, as one file, when a reader first needs something about alerts. */

export { AlertDialog } from './alert-dialog.tsx';
export { AlertsPage } from './alerts-page.tsx';
export { UnsubscribePage } from './unsubscribe-page.tsx';
