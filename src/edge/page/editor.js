// Puts GraphiQL into the page of the API. The key stays in its field: it is never stored, and never part of an address.
(() => {
  const { GraphiQL, React, ReactDOM } = globalThis;
  const key = document.getElementById('key');
  const url = location.origin + location.pathname;
  const send = GraphiQL.createFetcher({ url, subscriptionUrl: url.replace(/^http/, 'ws') });

  // GraphiQL detects a subscription from its last parse, which ran when the typing paused and may be of another document.
  function parsed({ query }) {
    try {
      return GraphiQL.GraphQL.parse(query);
    } catch {
      return undefined; // the server reports the error
    }
  }

  function fetcher(request, options) {
    const typed = key.value.trim();
    const headers = { ...options?.headers, ...(typed && { 'X-API-KEY': typed }) };
    return send(request, { ...options, documentAST: parsed(request), headers });
  }

  // CodeMirror's fields have no label of their own; the parts of GraphiQL around them have one.
  const place = document.getElementById('editor');
  const nameFields = () => {
    for (const input of place.querySelectorAll('.CodeMirror textarea:not([aria-label])'))
      input.setAttribute('aria-label', input.closest('[aria-label]')?.getAttribute('aria-label') ?? 'Editor');
  };
  new MutationObserver(nameFields).observe(place, { childList: true, subtree: true });

  document.getElementById('workbench').hidden = false;
  const editor = React.createElement(GraphiQL, {
    fetcher,
    // Per tab, not permanent: queries may contain secrets too.
    storage: sessionStorage,
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
    defaultQuery: '# Ctrl+Enter runs this. With an API key: { me { id } }\n{\n  globals {\n    network\n  }\n}\n',
  });
  ReactDOM.createRoot(place).render(editor);
})();
