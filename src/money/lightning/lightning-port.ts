import { MAX_AMOUNT_MSAT } from '../../platform/kernel/money.js';
import type { FeeProbeRequest } from './lightning-messages.js';

/**
 * The version of the port `LightningBackend`. It rises with each change after which an adapter for the version before would be wrong; a new
 * capability, which such an adapter lacks, is no such change.
 */
export const LIGHTNING_PORT_VERSION = 1;

/** What a back end may be able to do, by the name under which it declares that. Each text continues "The back end cannot ...". */
export const LIGHTNING_CAPABILITIES = {
  own_preimage: 'make an invoice of a preimage that the caller chooses',
  settle_index: 'stream the settlements from a cursor on',
  fee_limit: 'pay within a limit for the fee',
  cancel_invoice: 'cancel an invoice',
  fee_probe: 'estimate the fee of a payment',
  payment_index: 'number its payments',
  payment_list: 'list its payments by their numbers',
  channel_balance: 'say the balance of its channels',
  delivery_proof: 'prove that a payment has not reached it',
} as const;
export type LightningCapability = keyof typeof LIGHTNING_CAPABILITIES;
export const ALL_CAPABILITIES: ReadonlySet<LightningCapability> = new Set(Object.keys(LIGHTNING_CAPABILITIES) as LightningCapability[]);

/** Without these no invoice can be made whose payment is certain to be credited. */
const REQUIRED = ['own_preimage', 'settle_index'] as const satisfies readonly LightningCapability[];

/** The bounds of the amount and the fee limit with which a node may be asked to pay. */
export const isPayable = ({ amountMsat, feeLimitMsat }: Pick<FeeProbeRequest, 'amountMsat' | 'feeLimitMsat'>): boolean =>
  amountMsat > 0n && amountMsat <= MAX_AMOUNT_MSAT && feeLimitMsat >= 0n && feeLimitMsat <= MAX_AMOUNT_MSAT;

/** An adapter may be written in JavaScript, so that its methods are checked. */
interface DeclaredBackend {
  readonly constructor: { readonly name: string };
  readonly portVersion?: unknown;
  readonly capabilities?: ReadonlySet<LightningCapability> | undefined;
}

/** @throws Error with a sentence for the operator if Sluice cannot work with this back end */
export function checkBackend({ constructor: { name }, portVersion, capabilities }: DeclaredBackend): void {
  if (portVersion !== LIGHTNING_PORT_VERSION) {
    const stated = portVersion === undefined ? 'no stated version' : `version ${JSON.stringify(portVersion)}`;
    throw new Error(
      `The Lightning back end ${name} was made for ${stated} of the port, and this Sluice has version ${LIGHTNING_PORT_VERSION}: use a release of the back end that states portVersion = ${LIGHTNING_PORT_VERSION}`,
    );
  }
  if (!(capabilities instanceof Set))
    throw new Error(`The Lightning back end ${name} does not state its capabilities, which must be a Set of their names`);
  const missing = REQUIRED.filter((capability) => !capabilities.has(capability));
  if (missing.length === 0) return;
  const words = missing.map((capability) => `${LIGHTNING_CAPABILITIES[capability]} (${capability})`).join(', nor ');
  throw new Error(`The Lightning back end ${name} cannot ${words}, and Sluice needs that of every back end`);
}
