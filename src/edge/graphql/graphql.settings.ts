import { int, Setting, yesNo } from '../../platform/config/index.js';

export class GraphqlSettings {
  static readonly title = 'GraphQL documents';

  @Setting(
    '`0`: the page that a browser gets at `/graphql` has no editor, and the server does not serve GraphiQL; `1` in demo mode, `0` in production. See [the page of the API](../api.md#the-page-of-the-api)',
    { production: false },
  )
  @yesNo()
  GRAPHIQL = true;

  @Setting('longest document')
  @int(256, 1_048_576)
  GRAPHQL_DOCUMENT_BYTES = 16_384;

  @Setting('deepest selection')
  @int(1, 100)
  GRAPHQL_DEPTH = 15;

  @Setting('most aliases in a document')
  @int(1, 1_000)
  GRAPHQL_ALIASES = 30;

  @Setting('most tokens in a document')
  @int(1, 100_000)
  GRAPHQL_TOKENS = 1_000;

  @Setting('most fields that an answer could have; a page of a list counts with the requested length')
  @int(100, 10_000_000)
  GRAPHQL_COST = 20_000;

  @Setting('longest answer of a query; a longer one is `RESPONSE_TOO_LARGE`. The limit does not apply to mutations')
  @int(65_536, 1_073_741_824)
  GRAPHQL_ANSWER_BYTES = 4_194_304;
}
