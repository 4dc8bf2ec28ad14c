// Puts GraphiQL into the page of the API. The key stays in its field: nothing stores it, and no address holds it.
(() => {
  const { GraphiQL, React, ReactDOM } = globalThis;
  const key = document.getElementById('key');
  const url = location.origin + location.pathname;
  const send = GraphiQL.createFetcher({ url, subscriptionUrl: url.replace(/^http/, 'ws') });

  // GraphiQL tells a subscription from what it read when the typing last paused, which may be another document.
  function parsed({ query }) {
    try {
      return GraphiQL.GraphQL.parse(query);
    } catch {
      return undefined; // the server says what is wrong with it
    }
  }

  function fetcher(request, options) {
    const typed = key.value.trim();
    const headers = { ...options?.headers, ...(typed && { 'X-API-KEY': typed }) };
    return send(request, { ...options, documentAST: parsed(request), headers });
  }

  // CodeMirror's fields have no name of their own; the parts of GraphiQL that they are in have one.
  const place = document.getElementById('editor');
  const nameFields = () => {
    for (const input of place.querySelectorAll('.CodeMirror textarea:not([aria-label])'))
      input.setAttribute('aria-label', input.closest('[aria-label]')?.getAttribute('aria-label') ?? 'Editor');
  };
  new MutationObserver(nameFields).observe(place, { childList: true, subtree: true });

  document.getElementById('workbench').hidden = false;
  const editor = React.createElement(GraphiQL, {
    fetcher,
    // What was typed ends with the tab: queries may hold secrets too.
    storage: sessionStorage,
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
    defaultQuery: '# Ctrl+Enter runs this. With an API key: { me { id } }\n{\n  globals {\n    network\n  }\n}\n',
  });
  ReactDOM.createRoot(place).render(editor);
})();
