import { Column, Entity, PrimaryColumn } from 'typeorm';
import { columns } from './columns.js';
import { fragment, mayTakeLong, sql, type Fragment } from './sql.js';

@Entity('toy')
class ToyEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'owner_id' })
  readonly ownerId!: string;

  @Column('bigint', { name: 'price_cents', nullable: true })
  readonly priceCents!: bigint | null;

  @Column({ type: 'timestamptz', name: 'made_at', precision: 3 })
  readonly madeAt!: Date;

  @Column('text', { array: true })
  readonly tags!: readonly string[];
}
const TOY = columns(ToyEntity);

describe('a statement', () => {
  const byOwner = (order: Fragment) => sql`SELECT id FROM toy WHERE owner_id = $1 ORDER BY ${order} LIMIT ${10}`;

  it('is named by the hash of its text, in at most 63 characters', () => {
    const [first, second] = [sql`SELECT 1`, sql`SELECT 1`];
    expect(first).toEqual(second);
    // The same in every process: a name must not change its text.
    expect(first.name).toBe('4ATr1bVTKkuFmEpi-K1IqA');
    expect(first.name).not.toBe(sql`SELECT 2`.name);
  });

  it('is made once for a call site and its parts', () => {
    const [byId, byPrice] = [fragment`id`, fragment`price_cents`];
    expect(byOwner(byId)).toBe(byOwner(byId));
    expect(byOwner(byPrice).text).toBe('SELECT id FROM toy WHERE owner_id = $1 ORDER BY price_cents LIMIT 10');
    expect(byOwner(byId).text).toBe('SELECT id FROM toy WHERE owner_id = $1 ORDER BY id LIMIT 10');
  });

  it('keeps its name and text when it may take long', () => {
    expect(mayTakeLong(sql`SELECT 1`)).toEqual({ ...sql`SELECT 1`, mayTakeLong: true });
  });

  it.each([["x'; DROP TABLE toy; --"], [{ text: 'DROP TABLE toy' }], [undefined], [1.5], [NaN]])(
    'takes no value into its text: %j',
    (value) => {
      expect(() => byOwner(value as Fragment)).toThrow('values are its parameters');
    },
  );
});

describe('the columns of an entity', () => {
  it('are a select list under the names of the properties', () => {
    expect(TOY.except('madeAt', 'tags').of('t').text).toBe('t.id, t.owner_id AS "ownerId", t.price_cents AS "priceCents"');
    expect(TOY.only('ownerId').json('t').text).toBe(`jsonb_build_object('ownerId', t.owner_id)`);
  });

  it('are the names, parameters and values of an insert', () => {
    const some = TOY.only('ownerId', 'id');
    expect([some.names.text, some.parameters(3).text]).toEqual(['owner_id, id', '$3, $4']);
    expect(some.valuesOf({ id: 'a', ownerId: 'b' })).toEqual(['b', 'a']);
  });

  it('are arrays of a column each, for a batch', () => {
    const some = TOY.only('ownerId', 'priceCents');
    expect(some.arrays(2).text).toBe('$2::uuid[], $3::bigint[]');
    expect(
      some.arraysOf([
        { ownerId: 'a', priceCents: 1n },
        { ownerId: 'b', priceCents: null },
      ]),
    ).toEqual([
      ['a', 'b'],
      [1n, null],
    ]);
    expect(() => TOY.only('tags').arrays()).toThrow('is not a name in SQL');
  });

  it('are those of an entity only, and are named without quotes', () => {
    class Plain {
      readonly id!: string;
    }
    expect(() => columns(Plain)).toThrow('Plain is no entity');
    expect(() => TOY.of('t; DROP TABLE toy')).toThrow('is not a name in SQL');
  });
});
