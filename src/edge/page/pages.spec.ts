import type { FastifyReply } from 'fastify';
import { loadConfig } from '../../platform/config/index.js';
import { SystemClock } from '../../platform/kernel/clock.js';
import { Brand } from './brand.js';
import { BrandSettings } from './brand.settings.js';
import { Csrf } from './csrf.js';
import { html } from './html.js';
import type { Visitor } from '../auth/index.js';
import { Menu, type ShellFrame } from './frame.js';
import { Pages, type RenderOptions } from './pages.js';

const PRODUCTION = {
  SLUICE_MODE: 'production',
  SECRET_KEY: 's'.repeat(32),
  DATABASE_URL: 'postgres://db/sluice',
  PUBLIC_URL: 'https://sluice.example',
  LIGHTNING_BACKEND: 'simulator',
  SLUICE_ALLOW_SIMULATED_MONEY: '1',
  NETWORK: 'regtest',
};

class FixedClock extends SystemClock {
  override now(): number {
    return Date.parse('2026-11-21T08:46:00Z');
  }
}

function pagesOf(environment: Record<string, string>): { pages: Pages; csrf: Csrf } {
  const config = loadConfig(environment, () => 'd'.repeat(32));
  const csrf = new Csrf(config);
  return { pages: new Pages(config, csrf, new FixedClock(), new Menu([]), new Brand(new BrandSettings())), csrf };
}

interface Sent {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The few methods of a reply that pages use, and what they were called with. */
function replyOf(): { reply: FastifyReply; sent: Sent } {
  const sent: Sent = { status: 0, headers: {}, body: '' };
  const reply = {
    code: (status: number) => ((sent.status = status), reply),
    headers: (headers: Record<string, string>) => (Object.assign(sent.headers, headers), reply),
    type: (type: string) => ((sent.headers['Content-Type'] = type), reply),
    send: (body: string) => ((sent.body = body), reply),
  };
  return { reply: reply as unknown as FastifyReply, sent };
}

function answer(pages: Pages): Sent {
  const { reply, sent } = replyOf();
  pages.send(reply, { kind: 'gate' }, html`<p>${'<'}</p>`, 422);
  return sent;
}

/** The frame in which a page of a session is drawn. */
async function frameOf(pages: Pages, options: RenderOptions): Promise<ShellFrame> {
  const visitor = { session: { id: 'a' }, user: { email: 'a@example.test' } } as Visitor;
  const frames: ShellFrame[] = [];
  await pages.draw(replyOf().reply, visitor, (frame) => (frames.push(frame), html``), options);
  return frames[0] as ShellFrame;
}

it('print on every page whether the money is simulated', () => {
  expect(pagesOf({}).pages.frame()).toMatchObject({
    banner: 'demo',
    plainHttp: false,
    host: 'localhost:4000',
    now: new Date('2026-11-21T08:46:00Z'),
  });
  expect(pagesOf(PRODUCTION).pages.frame().banner).toBe('simulated');
});

it('give each page of a session its own CSRF token and nonce', async () => {
  const { pages, csrf } = pagesOf({});
  const [one, other] = [await frameOf(pages, {}), await frameOf(pages, { live: true })];
  expect(csrf.verify('session:a', one.csrf)).toBe(true);
  expect(csrf.verify('session:b', one.csrf)).toBe(false);
  expect(one.nonce).not.toBe(other.nonce);
  expect([one.events, other.events]).toEqual([null, '/dashboard/events']);
});

it('send markup with its status and all its headers', () => {
  const { status, headers, body } = answer(pagesOf(PRODUCTION).pages);
  expect([status, body, headers['Content-Type']]).toEqual([422, '<p>&lt;</p>', 'text/html; charset=utf-8']);
  expect(headers).toMatchObject({ 'Cache-Control': 'no-store', 'X-Frame-Options': 'DENY' });
});

it.each([
  ['https', PRODUCTION, 'no-referrer'],
  ['plain http', { ...PRODUCTION, PUBLIC_URL: 'http://192.168.1.7:4000', SLUICE_ALLOW_HTTP: '1' }, 'same-origin'],
  ['the demo', {}, 'same-origin'],
  ['the demo behind https on loopback', { PUBLIC_URL: 'https://localhost:4443' }, 'no-referrer'],
  ['the demo beyond loopback', { PUBLIC_URL: 'https://localhost:4443', HOST: '0.0.0.0' }, 'same-origin'],
])('send the referrer policy for forms over %s', (_, environment, policy) => {
  expect(answer(pagesOf(environment).pages).headers['Referrer-Policy']).toBe(policy);
});
