import { fileURLToPath } from 'node:url';
import type { Extension } from '../../../src/index.js';
import { Tip1764100001000 } from './migrations/1764100001000-tip.js';
import { TipEntity } from './tip.entity.js';
import { TippingModule } from './tipping.module.js';

/** Tips: counted as they arrive, marked in the history, and behind a scope of their own. */
export const tipping = (): Extension => ({
  name: 'tipping',
  sluice: '>=0.5 <1',
  module: TippingModule,
  schema: fileURLToPath(new URL('./tipping.graphql', import.meta.url)),
  scopes: [{ name: 'tipping:read', title: 'See the tips you received', consequence: 'How many there are and what they come to' }],
  menu: [{ href: '/tips', label: 'Tips' }],
  rateLimits: [{ name: 'tipping.forget', limit: 10, windowSeconds: 3_600, counts: 'requests of one person to start counting anew' }],
  entities: [TipEntity],
  migrations: [Tip1764100001000],
});
