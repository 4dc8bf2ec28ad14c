import { documentPage } from '../../../src/edge/page/document.view.js';
import { apiPage, html } from '../../../src/edge/page/index.js';
import { frame, gate, NONCE, sample, type Sample } from './sample.js';

const files = ['react.js', 'react-dom.js', 'graphiql.js', 'graphiql.css'].map((path) => {
  const name = path.replace('.', `.${'0'.repeat(12)}.`);
  return { name, href: `/assets/${name}` };
});
const model = { frame, apiUrl: 'https://api.sluice.example', websocketUrl: 'wss://api.sluice.example' };
const editor = { kind: 'editor', nonce: NONCE } as const;

const glossary = html`<h1>Glossary</h1>
  <p>The <a href="api.md">API</a> has <code>me</code>.</p>
  <pre><code>curl http://localhost:4000/graphql</code></pre>
  <table>
    <thead>
      <tr>
        <th>term</th>
        <th>what it is</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <td>hold</td>
        <td>money of a payment in flight</td>
      </tr>
    </tbody>
  </table>`;

/** The page at the address of the API, and the documents of the release. */
export const API_SAMPLES: readonly Sample[] = [
  sample('api', editor, apiPage({ ...model, editor: { nonce: NONCE, files } })),
  sample('api-real-money', editor, apiPage({ ...model, frame: { ...frame, banner: null }, editor: { nonce: NONCE, files } })),
  sample('api-without-editor', gate, apiPage({ ...model, editor: null })),
  sample('document', gate, documentPage(frame, { title: 'Glossary', body: glossary })),
];
