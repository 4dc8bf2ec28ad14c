import { jsonOfFaults, parseFaults } from './faults.js';

describe('the text of simulator faults', () => {
  it.each([
    ['', {}],
    ['hold', { hold: true }],
    ['fail=no_route, delayMs=500', { fail: 'no_route', delayMs: 500 }],
    ['routeFeeMsat=limit,overchargeMsat=7,settleIndexGap=2', { routeFeeMsat: 'limit', overchargeMsat: 7n, settleIndexGap: 2 }],
    [
      'lost,dropResponse,duplicateEvent,disconnect,cancelRace',
      { lost: true, dropResponse: true, duplicateEvent: true, disconnect: true, cancelRace: true },
    ],
    ['responseDelayMs=1,eventDelayMs=2,routeFeeMsat=3', { responseDelayMs: 1, eventDelayMs: 2, routeFeeMsat: 3n }],
  ])('parses %j', (text, faults) => {
    expect(parseFaults(text)).toEqual(faults);
  });

  it.each([
    'explode',
    'hold=1',
    'fail',
    'fail=because',
    'delayMs',
    'delayMs=-1',
    'delayMs=soon',
    'overchargeMsat=limit',
    '__proto__=1',
    'constructor',
  ])('refuses %j and names the fault', (text) => {
    expect(() => parseFaults(text)).toThrow(`Unknown fault "${text}". Known: fail=<reason>, `);
  });

  it('is stored as JSON: amounts as text, and without faults that are off', () => {
    expect(jsonOfFaults({ hold: false, lost: true, overchargeMsat: 7n, delayMs: 0 })).toBe(
      '{"lost":true,"overchargeMsat":"7","delayMs":0}',
    );
  });
});
