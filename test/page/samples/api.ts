import { apiPage } from '../../../src/edge/page/index.js';
import { frame, gate, NONCE, sample, type Sample } from './sample.js';

const files = ['react.js', 'react-dom.js', 'graphiql.js', 'graphiql.css'].map((path) => {
  const name = path.replace('.', `.${'0'.repeat(12)}.`);
  return { name, href: `/assets/${name}` };
});
const model = { frame, apiUrl: 'https://api.sluice.example', websocketUrl: 'wss://api.sluice.example' };
const editor = { kind: 'editor', nonce: NONCE } as const;

/** The page at the address of the API. */
export const API_SAMPLES: readonly Sample[] = [
  sample('api', editor, apiPage({ ...model, editor: { nonce: NONCE, files } })),
  sample('api-real-money', editor, apiPage({ ...model, frame: { ...frame, banner: null }, editor: { nonce: NONCE, files } })),
  sample('api-without-editor', gate, apiPage({ ...model, editor: null })),
];
