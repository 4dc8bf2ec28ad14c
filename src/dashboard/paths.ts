const part = encodeURIComponent;

/** The addresses of pages and forms. */
export const paths = {
  wallet: '/dashboard',
  /** GET shows the form, POST creates an invoice. */
  receive: '/dashboard/receive',
  invoice: (paymentHash: string): string => `/dashboard/receive/${part(paymentHash)}`,
  cancelInvoice: (paymentHash: string): string => `/dashboard/receive/${part(paymentHash)}/cancel`,
  /** Every invoice, newest first. */
  invoices: '/dashboard/receive/invoices',
  /** GET shows the form, POST checks it. */
  send: '/dashboard/send',
  /** GET shows what will be paid, POST pays it. @param order see `SealedOrders` */
  reviewSend: '/dashboard/send/review',
  reviewOf: (order: string): string => `/dashboard/send/review?order=${part(order)}`,
  changeSend: (order: string): string => `/dashboard/send?order=${part(order)}`,
  /** GET shows the form, POST checks it. */
  convert: '/dashboard/convert',
  /** GET shows what will be converted, POST converts it. @param order see `SealedOrders` */
  reviewConversion: '/dashboard/convert/review',
  conversionOf: (order: string): string => `/dashboard/convert/review?order=${part(order)}`,
  changeConversion: (order: string): string => `/dashboard/convert?order=${part(order)}`,
  /** Limits and settings of the account. GET shows them. */
  account: '/dashboard/account',
  /** POST chooses it. */
  displayCurrency: '/dashboard/account/currency',
  history: '/dashboard/history',
  /** The history as a file. */
  historyFile: '/dashboard/history/csv',
  transaction: (id: string): string => `/dashboard/history/${part(id)}`,
  /** GET lists, POST creates. */
  keys: '/dashboard/keys',
  newKey: '/dashboard/keys/new',
  key: (id: string): string => `/dashboard/keys/${part(id)}`,
  /** Shows the secret once. */
  keyCreated: (id: string): string => `/dashboard/keys/${part(id)}/created`,
  /** GET shows the form, POST sets and removes limits. */
  keyLimits: (id: string): string => `/dashboard/keys/${part(id)}/limits`,
  /** GET asks for confirmation, POST revokes. */
  revokeKey: (id: string): string => `/dashboard/keys/${part(id)}/revoke`,
  /** GET lists, POST adds. */
  webhooks: '/dashboard/webhooks',
  newWebhook: '/dashboard/webhooks/new',
  webhook: (id: string): string => `/dashboard/webhooks/${part(id)}`,
  /** Shows the secret once. */
  webhookSecret: (id: string): string => `/dashboard/webhooks/${part(id)}/secret`,
  rotateWebhook: (id: string): string => `/dashboard/webhooks/${part(id)}/rotate`,
  replayDelivery: (id: string, delivery: string): string => `/dashboard/webhooks/${part(id)}/deliveries/${part(delivery)}/replay`,
  /** GET asks for confirmation, POST deletes. */
  deleteWebhook: (id: string): string => `/dashboard/webhooks/${part(id)}/delete`,
  apps: '/dashboard/apps',
  app: (id: string): string => `/dashboard/apps/${part(id)}`,
  /** GET shows the form, POST sets and removes limits. */
  appLimits: (id: string): string => `/dashboard/apps/${part(id)}/limits`,
  /** GET asks for confirmation, POST disconnects. */
  disconnectApp: (id: string): string => `/dashboard/apps/${part(id)}/disconnect`,
} as const;
