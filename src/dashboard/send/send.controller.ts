import { PageSession } from '../../edge/auth/index.js';
import { PageController, PageRenderer, type Form } from '../../edge/page/index.js';
import { OrderPages } from '../order/order-pages.js';
import { PAYMENT, reviewPage, type ReviewModel } from './review.view.js';
import { SendPageService } from './send.service.js';
import type { SendFault, TypedSend } from './send-target.service.js';
import { emptySendForm, sendPage, type SendModel } from './send.view.js';

@PageController('dashboard/send')
@PageSession()
export class SendController extends OrderPages<
  TypedSend,
  Omit<SendFault, 'kind'>,
  Omit<SendModel, 'frame' | 'form'>,
  Omit<ReviewModel, 'frame'>
> {
  constructor(renderer: PageRenderer, service: SendPageService) {
    super(renderer, service, { empty: emptySendForm, typedIn, reviewOf: PAYMENT.reviewOf, form: sendPage, review: reviewPage });
  }
}

const typedIn = (form: Form): TypedSend => ({
  to: form.text('to'),
  amount: form.text('amount'),
  unit: form.text('unit') === 'USD' ? 'USD' : 'sats',
  memo: form.text('memo'),
});
