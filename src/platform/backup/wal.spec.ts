import { lsnOf, segmentNames, startOf } from './base-backup.js';

const MB = 1n << 20n;

describe('the write-ahead log', () => {
  it('has positions of 64 bits', () => {
    expect(lsnOf('16/B374D848')).toBe(0x16_b374_d848n);
    expect(lsnOf('0/2000028')).toBe(0x200_0028n);
  });

  it('is in segments whose names count up, also from one log to the next', () => {
    const names = segmentNames('00000002', lsnOf('0/FE000028'), lsnOf('1/1000100'), 16n * MB);
    expect(names).toEqual(['0000000200000000000000FE', '0000000200000000000000FF', '000000020000000100000000', '000000020000000100000001']);
  });

  it('ends with the segment of its last byte', () => {
    expect(segmentNames('00000001', lsnOf('0/2000028'), lsnOf('0/3000000'), 16n * MB)).toEqual(['000000010000000000000002']);
    expect(segmentNames('00000001', lsnOf('0/400028'), lsnOf('0/800001'), 4n * MB)).toEqual([
      '000000010000000000000001',
      '000000010000000000000002',
    ]);
  });

  it('is needed from the place that the label names', () => {
    const label = 'START WAL LOCATION: 0/3000028 (file 00000002000000000000000C)\nCHECKPOINT LOCATION: 0/3000080\n';
    expect(startOf(label)).toEqual({ timeline: '00000002', lsn: 0x300_0028n });
    expect(() => startOf('STOP')).toThrow('unknown form');
  });
});
