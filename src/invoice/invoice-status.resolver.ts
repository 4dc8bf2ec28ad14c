import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { Public } from '../auth/index.js';
import { mapped, only, type Stream } from '../events/index.js';
import { InvalidInput, type Implements, type Problem, type Result } from '../graphql/index.js';
import { StatusByHashArgs, StatusByRequestArgs } from './invoice.input.js';
import { InvoiceStatusService, type StatusRow } from './invoice-status.service.js';

const UNKNOWN: Problem = { message: 'There is no such invoice here', code: 'NOT_FOUND', path: null };
const UNDECODABLE: Problem = {
  message: 'Invalid value for LnPaymentRequest',
  code: 'INVOICE_DECODE_ERROR',
  path: ['input', 'paymentRequest'],
};

/** Whoever knows the hash may ask: shops and payers without an account do. */
@Resolver()
export class InvoiceStatusQueryResolver implements Implements<
  'Query',
  'lnInvoicePaymentStatusByHash' | 'lnInvoicePaymentStatusByPaymentRequest'
> {
  constructor(private readonly statuses: InvoiceStatusService) {}

  @Query()
  @Public()
  async lnInvoicePaymentStatusByHash(@Args() { input }: StatusByHashArgs): Promise<StatusRow> {
    const found = await this.statuses.findByHash(input.paymentHash);
    if (!found) throw new InvalidInput([UNKNOWN]);
    return found;
  }

  @Query()
  @Public()
  async lnInvoicePaymentStatusByPaymentRequest(@Args() { input }: StatusByRequestArgs): Promise<StatusRow> {
    const found = await this.statuses.findByRequest(input.paymentRequest);
    if (found === 'undecodable') throw new InvalidInput([UNDECODABLE]);
    if (!found) throw new InvalidInput([UNKNOWN]);
    return found;
  }
}

type ByHash = Result<'Subscription', 'lnInvoicePaymentStatusByHash'>;

@Resolver()
export class InvoiceStatusSubscriptionResolver implements Implements<
  'Subscription',
  'lnInvoicePaymentStatusByHash' | 'lnInvoicePaymentStatusByPaymentRequest'
> {
  constructor(private readonly statuses: InvoiceStatusService) {}

  @Subscription()
  @Public()
  async lnInvoicePaymentStatusByHash(
    @Args() { input }: StatusByHashArgs,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatusByHash: ByHash }>> {
    return mapped(payloadsOf(await this.statuses.follow(input.paymentHash)), (status) => ({ lnInvoicePaymentStatusByHash: status }));
  }

  @Subscription()
  @Public()
  async lnInvoicePaymentStatusByPaymentRequest(
    @Args() { input }: StatusByRequestArgs,
  ): Promise<AsyncIterable<{ lnInvoicePaymentStatusByPaymentRequest: ByHash }>> {
    const statuses = await this.statuses.followByRequest(input.paymentRequest);
    const payloads = statuses === 'undecodable' ? only(problem(UNDECODABLE)) : payloadsOf(statuses);
    return mapped(payloads, (status) => ({ lnInvoicePaymentStatusByPaymentRequest: status }));
  }
}

/** What stands in the way is told in the payload, as in mutations: a stream of one. */
const payloadsOf = (statuses: Stream<StatusRow> | null): Stream<ByHash> =>
  statuses ? mapped(statuses, (status) => ({ errors: [], ...status })) : only(problem(UNKNOWN));

const problem = (error: Problem): ByHash => ({
  errors: [error],
  paymentHash: null,
  paymentRequest: null,
  paymentPreimage: null,
  status: null,
});
