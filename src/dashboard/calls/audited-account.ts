/** The account that somebody meant, by its address. The log does not keep what no account has. */
export function accountOf(email: string): string {
  return email.includes('@') ? email : 'unknown account';
}
