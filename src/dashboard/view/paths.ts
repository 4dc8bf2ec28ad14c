const part = encodeURIComponent;

/** Where each page lives and each form posts to. */
export const paths = {
  wallet: '/dashboard',
  /** GET shows the wallet's form, POST makes an invoice. */
  receive: '/dashboard/receive',
  invoice: (paymentHash: string): string => `/dashboard/receive/${part(paymentHash)}`,
  cancelInvoice: (paymentHash: string): string => `/dashboard/receive/${part(paymentHash)}/cancel`,
  /** What happens to the money, as it happens. */
  events: '/dashboard/events',
  history: '/dashboard/history',
  transaction: (id: string): string => `/dashboard/history/${part(id)}`,
  /** GET lists, POST creates. */
  keys: '/dashboard/keys',
  newKey: '/dashboard/keys/new',
  key: (id: string): string => `/dashboard/keys/${part(id)}`,
  /** Shows the secret once. */
  keyCreated: (id: string): string => `/dashboard/keys/${part(id)}/created`,
  /** GET asks, POST revokes. */
  revokeKey: (id: string): string => `/dashboard/keys/${part(id)}/revoke`,
  apps: '/dashboard/apps',
  app: (id: string): string => `/dashboard/apps/${part(id)}`,
  /** GET asks, POST disconnects. */
  disconnectApp: (id: string): string => `/dashboard/apps/${part(id)}/disconnect`,
  register: '/register',
  login: '/login',
  consent: '/consent',
  /** GET asks, POST signs out. */
  logout: '/logout',
} as const;
