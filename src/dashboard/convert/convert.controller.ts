import { PageSession } from '../../edge/auth/index.js';
import { PageController, PageRenderer, type Form } from '../../edge/page/index.js';
import type { TypedAmount } from '../activity/amount.js';
import { OrderPages } from '../order/order-pages.js';
import { CONVERSION, conversionPage, type ConversionModel } from './conversion.view.js';
import { ConvertPageService } from './convert.service.js';
import { convertPage, emptyConvertForm, type ConvertFault, type ConvertModel } from './convert.view.js';

@PageController('dashboard/convert')
@PageSession()
export class ConvertController extends OrderPages<
  TypedAmount,
  ConvertFault,
  Omit<ConvertModel, 'frame' | 'form'>,
  Omit<ConversionModel, 'frame'>
> {
  constructor(renderer: PageRenderer, service: ConvertPageService) {
    super(renderer, service, {
      empty: emptyConvertForm,
      typedIn,
      reviewOf: CONVERSION.reviewOf,
      form: convertPage,
      review: conversionPage,
    });
  }
}

const typedIn = (form: Form): TypedAmount => ({ amount: form.text('amount'), unit: form.text('unit') === 'USD' ? 'USD' : 'sats' });
