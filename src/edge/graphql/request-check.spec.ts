import { buildSchema, parse, type OperationDefinitionNode } from 'graphql';
import { coerceVariables } from './request-check.js';

const schema = buildSchema('type Query { add(a: Int!, b: [Int!]): Int }');
const document = parse('query ($a: Int!, $b: [Int!]) { add(a: $a, b: $b) }');
const operation = document.definitions[0] as OperationDefinitionNode;

describe('coerceVariables', () => {
  it('makes no error for valid variables: its stack would cost more than all else', () => {
    const stacks = jest.spyOn(Error, 'captureStackTrace');
    expect(coerceVariables(schema, document, operation, { a: 1, b: [2], c: 'ignored' })).toEqual({ variables: { a: 1, b: [2] } });
    expect(stacks).not.toHaveBeenCalled();
    stacks.mockRestore();
  });

  it('returns the first fault, with a code', () => {
    expect(coerceVariables(schema, document, operation, { a: 'x', b: ['y'] })).toMatchObject({
      fault: { message: expect.stringContaining('$a'), extensions: { code: 'BAD_USER_INPUT' } },
    });
  });

  it('refuses more values than one request may have', () => {
    const b = Array.from({ length: 1_000 }, () => 1);
    expect(coerceVariables(schema, document, operation, { a: 1, b })).toMatchObject({
      fault: { extensions: { code: 'QUERY_TOO_COMPLEX' } },
    });
  });
});
