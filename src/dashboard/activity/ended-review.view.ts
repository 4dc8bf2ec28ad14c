import { html, notice, type Html } from '../../page/index.js';
import { paths } from '../paths.js';

/**
 * A review that is not shown any more. `over`: it was not confirmed in time. `unknown`: this server can't read it, or it is not of this
 * person, so that nothing is known of a payment by it.
 */
export type EndedReview = 'over' | 'unknown';

/** What a review is about. */
export interface ReviewedMatter {
  /** "payment" */
  readonly noun: string;
  /** "pay" */
  readonly verb: string;
  /** "sent" */
  readonly done: string;
}

export function endedReview(ended: EndedReview, { noun, verb, done }: ReviewedMatter): Html {
  const over = html`Nothing was ${done}. Check what you want to ${verb} again.`;
  const unknown = html`If you confirmed it, the ${noun} is in your <a href="${paths.history}">history</a>. Look there before you ${verb}
    again.`;
  return notice(html`<p><b>The review has expired.</b> ${ended === 'over' ? over : unknown}</p>`);
}
