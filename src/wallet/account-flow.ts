/** The limit of its account that a payment takes from: it is paid by the node, to another account, or between the wallets of the account. */
export type AccountFlow = 'withdrawal' | 'internal_send' | 'convert';
