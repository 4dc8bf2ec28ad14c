/** Where a sign-in leads unless it was on the way to another page. */
export const HOME = '/dashboard';

/** The addresses of the sign-in pages. */
export const paths = {
  register: '/register',
  login: '/login',
  /** GET asks for confirmation, POST signs out. */
  logout: '/logout',
} as const;
