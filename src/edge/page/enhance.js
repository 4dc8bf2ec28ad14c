const all = (selector, root) => root.querySelectorAll(selector);
const BUTTONS = '[data-copy], [data-print]';
const news = document.getElementById('news');
let timer;

const localTimes = {
  day: ({ date, year }) => `${date} ${year}`,
  exact: ({ date, year, seconds, at }) =>
    `${date} ${year}, ${seconds} ${at.getTimezoneOffset() ? `(${at.toISOString().slice(11, 19)} UTC)` : 'UTC'}`,
  moment: ({ date, year, time, daysAgo }) => {
    if (daysAgo < 2) return `${daysAgo < 1 ? 'Today' : 'Yesterday'}, ${time}`;
    return Date().includes(year) ? `${date}, ${time}` : `${date} ${year}`;
  },
  soon: ({ time, daysAgo }) => `${time} ${daysAgo < 0 ? 'tomorrow' : 'today'}`,
};

function localTime(element) {
  const at = new Date(element.dateTime);
  const seconds = at.toTimeString().slice(0, 8);
  const [, month, , year] = at.toDateString().split(' ');
  const daysAgo = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 864e5);
  const date = `${at.getDate()} ${month}`;
  element.textContent = localTimes[element.dataset.local]({ at, seconds, time: seconds.slice(0, 5), date, year, daysAgo });
}

function reveal(root) {
  for (const button of all(BUTTONS, root)) button.hidden = button.dataset.copy && !navigator.clipboard;
  for (const element of all('time[data-local]', root)) localTime(element);
  const due = document.querySelector('[data-due]')?.dataset.due;
  clearInterval(timer);
  timer = due && setInterval(refresh, due * 1e3);
}

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const [label] = button.childNodes;
  label.textContent = news.textContent = 'Copied';
  setTimeout(() => ((label.textContent = 'Copy'), (news.textContent = '')), 2e3);
}

addEventListener('click', ({ target }) => {
  const button = target.closest(BUTTONS);
  if (button) button.dataset.copy ? copy(button) : print();
});

// The work may take seconds: a second click sends nothing, and the button may say so. The browser's Back shows it as it was.
addEventListener('submit', ({ submitter }) => {
  const { innerHTML, dataset } = submitter;
  if (dataset.busy) submitter.textContent = news.textContent = dataset.busy;
  // The value of a disabled one would be left out.
  submitter.disabled = !submitter.name;
  globalThis.onpagehide = () => Object.assign(submitter, { innerHTML, disabled: false });
});

// The server renders all texts: on an event, live parts are taken from a fresh copy of the page.
async function refresh({ data } = {}) {
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of all('[data-live]', document)) {
    const next = fresh.getElementById(part.id);
    if (!next) continue;
    const { activeElement } = document;
    const focused = part.contains(activeElement) && activeElement.outerHTML;
    part.replaceWith(next);
    reveal(next);
    const twin = [...all('a, button', next)].find((each) => each.outerHTML === focused);
    if (focused) (twin ?? document.getElementById('main')).focus({ preventScroll: true });
  }
  if (data || fresh.title !== document.title) news.textContent = data ?? document.querySelector('h1').textContent;
  document.title = fresh.title;
}

reveal(document);
addEventListener('visibilitychange', () => document.hidden || (events && refresh()));
const { events } = document.body.dataset;
if (events) {
  const feed = new EventSource(events);
  feed.onmessage = refresh;
  // What happened while the connection was lost.
  feed.onerror = () => (feed.onopen = refresh);
}
