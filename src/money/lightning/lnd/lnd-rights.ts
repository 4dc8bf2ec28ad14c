/** LND asks of a macaroon one right for a method. */
export interface LndRight {
  readonly entity: 'address' | 'info' | 'invoices' | 'macaroon' | 'offchain' | 'onchain';
  readonly action: 'read' | 'write';
}

export const right = (entity: LndRight['entity'], action: LndRight['action']): LndRight => ({ entity, action });
