import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Public } from '../../../edge/auth/index.js';
import { mapped, only, type Stream } from '../../../platform/events/index.js';
import type {
  LnInvoicePaymentStatusByHashInput,
  LnInvoicePaymentStatusByPaymentRequestInput,
  LnInvoicePaymentStatusInput,
} from '../../../generated/graphql.js';
import { InvalidInput, type Implements, type Problem, type Result } from '../../../edge/graphql/index.js';
import { InvoiceStatusService, type StatusRefusal, type StatusRow } from './invoice-status.service.js';

const PROBLEMS: Readonly<Record<StatusRefusal, Problem>> = {
  unknown: { message: 'Invoice not found', code: 'NOT_FOUND', path: null },
  undecodable: { message: 'Invalid value for LnPaymentRequest', code: 'INVOICE_DECODE_ERROR', path: ['input', 'paymentRequest'] },
};

type Payload = Result<'Subscription', 'lnInvoicePaymentStatusByHash'>;

/** Public: a caller that knows the hash may ask, such as a shop or a payer without an account. */
@Resolver()
export class InvoiceStatusQueryResolver implements Implements<'Query', keyof InvoiceStatusQueryResolver> {
  constructor(private readonly statuses: InvoiceStatusService) {}

  @Query()
  @Public()
  async lnInvoicePaymentStatusByHash(@Args('input') input: LnInvoicePaymentStatusByHashInput): Promise<StatusRow> {
    return foundOf(await this.statuses.findByHash(input.paymentHash));
  }

  @Query()
  @Public()
  async lnInvoicePaymentStatusByPaymentRequest(@Args('input') input: LnInvoicePaymentStatusByPaymentRequestInput): Promise<StatusRow> {
    return foundOf(await this.statuses.findByRequest(input.paymentRequest));
  }

  /** The older name of the query; its payload has an `errors` field. */
  @Query()
  @Public()
  async lnInvoicePaymentStatus(@Args('input') input: LnInvoicePaymentStatusInput): Promise<Payload> {
    const found = await this.statuses.findByRequest(input.paymentRequest);
    return typeof found === 'string' ? refused(found) : { errors: [], ...found };
  }
}

@Resolver()
export class InvoiceStatusSubscriptionResolver implements Implements<'Subscription', keyof InvoiceStatusSubscriptionResolver> {
  constructor(private readonly statuses: InvoiceStatusService) {}

  @Subscription()
  @Public()
  async lnInvoicePaymentStatusByHash(
    @Args('input') input: LnInvoicePaymentStatusByHashInput,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatusByHash: Payload }>> {
    return mapped(payloadsOf(await this.statuses.follow(input.paymentHash)), (status) => ({ lnInvoicePaymentStatusByHash: status }));
  }

  @Subscription()
  @Public()
  async lnInvoicePaymentStatusByPaymentRequest(
    @Args('input') input: LnInvoicePaymentStatusByPaymentRequestInput,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatusByPaymentRequest: Payload }>> {
    return mapped(payloadsOf(await this.statuses.followByRequest(input.paymentRequest)), (status) => ({
      lnInvoicePaymentStatusByPaymentRequest: status,
    }));
  }

  @Subscription()
  @Public()
  async lnInvoicePaymentStatus(
    @Args('input') input: LnInvoicePaymentStatusInput,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatus: Payload }>> {
    return mapped(payloadsOf(await this.statuses.followByRequest(input.paymentRequest)), (status) => ({ lnInvoicePaymentStatus: status }));
  }
}

/** An error goes into the payload, as in mutations: a stream of one item. */
const payloadsOf = (statuses: Stream<StatusRow> | StatusRefusal): Stream<Payload> =>
  typeof statuses === 'string' ? only(refused(statuses)) : mapped(statuses, (status) => ({ errors: [], ...status }));

function foundOf(found: StatusRow | StatusRefusal): StatusRow {
  if (typeof found === 'string') throw new InvalidInput([PROBLEMS[found]]);
  return found;
}

const refused = (refusal: StatusRefusal): Payload => ({
  errors: [PROBLEMS[refusal]],
  paymentHash: null,
  paymentRequest: null,
  paymentPreimage: null,
  status: null,
});
