interface Member {
  readonly pin: string;
  readonly email: string;
  readonly username: string;
}

/** The people of the organisation by their badges. A real directory limits guesses of a PIN. */
export const MEMBERS: ReadonlyMap<string, Member> = new Map([['1001', { pin: '7391', email: 'ada@company.test', username: 'ada' }]]);
