export type Currency = 'BTC' | 'USD';
