/** The headers of a credential, for example `{ 'x-api-key': … }`. */
export type CredentialHeaders = Readonly<Record<string, string>>;

export interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Sends one operation over HTTP, as a client does, and returns the response, errors included. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever shape it asked for
export async function graphql<Data = any>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  credential: CredentialHeaders = {},
): Promise<GraphQLAnswer<Data>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphQLAnswer<Data>;
}

/** The data of an operation that must succeed. @throws Error with the response's errors */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export async function dataOf<Data = any>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  credential: CredentialHeaders = {},
): Promise<Data> {
  const { data, errors } = await graphql<Data>(url, query, variables, credential);
  if (errors || !data) throw new Error(`The operation failed: ${JSON.stringify(errors)}`);
  return data;
}
