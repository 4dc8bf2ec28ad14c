import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Public } from '../../../edge/auth/index.js';
import { mapped, only, type Stream } from '../../../platform/events/index.js';
import type {
  QueryLnInvoicePaymentStatusArgs,
  QueryLnInvoicePaymentStatusByHashArgs,
  QueryLnInvoicePaymentStatusByPaymentRequestArgs,
  SubscriptionLnInvoicePaymentStatusArgs,
  SubscriptionLnInvoicePaymentStatusByHashArgs,
  SubscriptionLnInvoicePaymentStatusByPaymentRequestArgs,
} from '../../../generated/graphql.js';
import { InvalidInput, type Implements, type Problem, type Result } from '../../../edge/graphql/index.js';
import { InvoiceStatusService, type StatusRow } from './invoice-status.service.js';

const UNKNOWN: Problem = { message: 'Invoice not found', code: 'NOT_FOUND', path: null };
const UNDECODABLE: Problem = {
  message: 'Invalid value for LnPaymentRequest',
  code: 'INVOICE_DECODE_ERROR',
  path: ['input', 'paymentRequest'],
};

type Payload = Result<'Subscription', 'lnInvoicePaymentStatusByHash'>;

/** Public: a caller that knows the hash may ask, such as a shop or a payer without an account. */
@Resolver()
export class InvoiceStatusQueryResolver implements Implements<'Query', keyof InvoiceStatusQueryResolver> {
  constructor(private readonly statuses: InvoiceStatusService) {}

  @Query()
  @Public()
  async lnInvoicePaymentStatusByHash(@Args() { input }: QueryLnInvoicePaymentStatusByHashArgs): Promise<StatusRow> {
    const found = await this.statuses.findByHash(input.paymentHash);
    if (!found) throw new InvalidInput([UNKNOWN]);
    return found;
  }

  @Query()
  @Public()
  async lnInvoicePaymentStatusByPaymentRequest(@Args() { input }: QueryLnInvoicePaymentStatusByPaymentRequestArgs): Promise<StatusRow> {
    const found = await this.statuses.findByRequest(input.paymentRequest);
    if (found === 'undecodable') throw new InvalidInput([UNDECODABLE]);
    if (!found) throw new InvalidInput([UNKNOWN]);
    return found;
  }

  /** The older name of the query; its payload has an `errors` field. */
  @Query()
  @Public()
  async lnInvoicePaymentStatus(@Args() { input }: QueryLnInvoicePaymentStatusArgs): Promise<Payload> {
    const found = await this.statuses.findByRequest(input.paymentRequest);
    if (found === 'undecodable') return problem(UNDECODABLE);
    return found ? { errors: [], ...found } : problem(UNKNOWN);
  }
}

@Resolver()
export class InvoiceStatusSubscriptionResolver implements Implements<'Subscription', keyof InvoiceStatusSubscriptionResolver> {
  constructor(private readonly statuses: InvoiceStatusService) {}

  @Subscription()
  @Public()
  async lnInvoicePaymentStatusByHash(
    @Args() { input }: SubscriptionLnInvoicePaymentStatusByHashArgs,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatusByHash: Payload }>> {
    return mapped(payloadsOf(await this.statuses.follow(input.paymentHash)), (status) => ({ lnInvoicePaymentStatusByHash: status }));
  }

  @Subscription()
  @Public()
  async lnInvoicePaymentStatusByPaymentRequest(
    @Args() { input }: SubscriptionLnInvoicePaymentStatusByPaymentRequestArgs,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatusByPaymentRequest: Payload }>> {
    return mapped(await this.payloadsByRequest(input.paymentRequest), (status) => ({ lnInvoicePaymentStatusByPaymentRequest: status }));
  }

  @Subscription()
  @Public()
  async lnInvoicePaymentStatus(
    @Args() { input }: SubscriptionLnInvoicePaymentStatusArgs,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatus: Payload }>> {
    return mapped(await this.payloadsByRequest(input.paymentRequest), (status) => ({ lnInvoicePaymentStatus: status }));
  }

  private async payloadsByRequest(paymentRequest: string): Promise<Stream<Payload>> {
    const statuses = await this.statuses.followByRequest(paymentRequest);
    return statuses === 'undecodable' ? only(problem(UNDECODABLE)) : payloadsOf(statuses);
  }
}

/** An error goes into the payload, as in mutations: a stream of one item. */
const payloadsOf = (statuses: Stream<StatusRow> | null): Stream<Payload> =>
  statuses ? mapped(statuses, (status) => ({ errors: [], ...status })) : only(problem(UNKNOWN));

const problem = (error: Problem): Payload => ({
  errors: [error],
  paymentHash: null,
  paymentRequest: null,
  paymentPreimage: null,
  status: null,
});
