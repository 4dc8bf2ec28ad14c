/** The headers by which a caller says who is asking: `{ 'x-api-key': … }`, say. */
export type Credential = Readonly<Record<string, string>>;

export interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** One operation over HTTP, as a client sends it, with whatever it answers. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever shape it asked for
export async function graphql<Data = any>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  credential: Credential = {},
): Promise<GraphQLAnswer<Data>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphQLAnswer<Data>;
}

/** The data of an operation that has to work. @throws Error with the answer's errors */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export async function dataOf<Data = any>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  credential: Credential = {},
): Promise<Data> {
  const { data, errors } = await graphql<Data>(url, query, variables, credential);
  if (errors || !data) throw new Error(`The operation failed: ${JSON.stringify(errors)}`);
  return data;
}
