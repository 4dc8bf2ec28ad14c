import type { BaseContext, GraphQLRequestContextWillSendResponse } from '@apollo/server';
import type { FormattedExecutionResult } from 'graphql';

export class AnswerText {
  /** Data of mutations: reported in full at any length, because the mutation has taken effect. */
  private readonly unbounded = new WeakSet<object>();
  private readonly throttled = new WeakSet<object>();
  private readonly texts = new WeakMap<object, string>();

  constructor(private readonly maxBytes: number) {}

  note({ operation, response: { body, http } }: GraphQLRequestContextWillSendResponse<BaseContext>): void {
    if (body.kind !== 'single') return;
    const { data, errors } = body.singleResult;
    if (data && operation?.operation === 'mutation') this.unbounded.add(data);
    if (errors && http.status === 429) this.throttled.add(errors);
  }

  /** A result that is sent as this text. */
  resultOf(text: string): { readonly data: Record<string, unknown> } {
    const data = {};
    this.texts.set(data, text);
    return { data };
  }

  readonly stringify = (result: FormattedExecutionResult): string => {
    const { data, errors } = result;
    if (errors && this.throttled.has(errors))
      return this.make({ error: { code: 429, status: 'TOO_MANY_REQUEST', message: errors[0]?.message }, ...result });
    const known = data && !errors ? this.texts.get(data) : undefined;
    if (known !== undefined) return known;
    const text = this.make(result);
    return !this.isTooLong(text) || (data && this.unbounded.has(data)) ? text : this.make({ errors: [TOO_LARGE] });
  };

  private isTooLong(text: string): boolean {
    // A UTF-16 code unit takes one to three bytes of UTF-8.
    return text.length > this.maxBytes || (text.length > this.maxBytes / 3 && Buffer.byteLength(text) > this.maxBytes);
  }

  make(result: object): string {
    return `${JSON.stringify(result)}\n`;
  }
}

const TOO_LARGE = {
  message: 'The response would be too long. Request fewer fields or smaller pages.',
  extensions: { code: 'RESPONSE_TOO_LARGE' },
};
