export const HOME = '/dashboard';

export const paths = {
  register: '/register',
  login: '/login',
  /** GET asks for confirmation, POST signs out. */
  logout: '/logout',
} as const;
