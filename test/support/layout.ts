import type { Page } from './chromium.ts';

/**
 * Returns layout errors of the current page. Errors are text under 12 pixels, text that is outside the screen or cut off, and broken words.
 * Further errors are touching labels, a bar closer to another label, and right-to-left text without isolation.
 */
export async function layoutFindings(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(${measure})()`)) as string[];
}

/** The script that runs in the page, which has no scripts of its own. */
const measure = `() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const quote = (text) => JSON.stringify(text.trim().slice(0, 40));
  if (document.documentElement.scrollWidth > width) found.push('the page scrolls sideways: ' + document.documentElement.scrollWidth);
  for (const region of document.querySelectorAll('.wide')) {
    if (region.scrollWidth <= region.clientWidth) continue;
    if (region.tabIndex < 0 || !region.getAttribute('aria-label')) found.push('a region scrolls without a name or without keys');
    // Only a calendar has so many columns that it scrolls on a phone.
    if (region.querySelector('.month') === null) found.push('cut off at the right: ' + quote(region.textContent));
  }
  const isHidden = (element) => {
    for (let above = element; above !== null; above = above.parentElement) {
      const { display, clipPath } = getComputedStyle(above);
      if (display === 'none' || clipPath !== 'none') return true;
    }
    return element.closest('details:not([open]) > :not(summary)') !== null;
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.data.trim() === '' || parent.closest('title, .say') !== null || isHidden(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    if (boxes.length === 0) continue;
    texts.push({ node, parent, boxes });
  }
  const box = (boxes) => ({
    left: Math.min(...boxes.map((one) => one.left)), right: Math.max(...boxes.map((one) => one.right)),
    top: Math.min(...boxes.map((one) => one.top)), bottom: Math.max(...boxes.map((one) => one.bottom)) });
  for (const { node, parent, boxes } of texts) {
    const scale = parent instanceof SVGElement ? parent.getScreenCTM().a : 1;
    const size = Number.parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < 11.99) found.push(size.toFixed(1) + ' pixels: ' + quote(node.data));
    const { left, right } = box(boxes);
    if (parent.closest('.wide:has(.month)') === null && (left < -0.5 || right > width + 0.5)) found.push('beyond the screen: ' + quote(node.data));
    for (let above = parent; above !== null; above = above.parentElement) {
      const { overflowX } = getComputedStyle(above);
      const frame = above.getBoundingClientRect();
      if (overflowX !== 'visible' && !(above instanceof SVGElement) && !above.matches('.wide, html, body') && right > frame.right + 0.5)
        found.push('cut off: ' + quote(node.data));
    }
    const lines = new Set(boxes.map(({ top }) => Math.round(top))).size;
    if (lines > 1 && node.data.trim().length / lines < 4) found.push('in pieces: ' + quote(node.data));
    if (/[\\u0590-\\u08ff]/.test(node.data) && parent.closest('bdi, [dir=auto]') === null) found.push('not isolated: ' + quote(node.data));
  }
  const drawn = texts.filter(({ parent }) => parent instanceof SVGElement).map(({ node, parent, boxes }) => ({ node, chart: parent.closest('svg'), box: box(boxes) }));
  for (const [index, one] of drawn.entries())
    for (const other of drawn.slice(index + 1))
      if (one.chart === other.chart && one.box.left < other.box.right && other.box.left < one.box.right && one.box.top < other.box.bottom && other.box.top < one.box.bottom)
        found.push('on each other: ' + quote(one.node.data) + ' and ' + quote(other.node.data));
  for (const list of document.querySelectorAll('.bars')) {
    const rows = [...list.children].map((row) => ({ name: row.querySelector('.name'), bar: row.querySelector('.bar').getBoundingClientRect() }));
    const apart = (name, bar) => { const { top, bottom } = name.getBoundingClientRect(); return Math.max(0, top - bar.bottom, bar.top - bottom); };
    for (const [index, { name, bar }] of rows.entries())
      for (const other of [rows[index - 1], rows[index + 1]])
        if (other !== undefined && apart(other.name, bar) < 2 * apart(name, bar) + 4) found.push('nearer the bar of ' + quote(name.textContent) + ': ' + quote(other.name.textContent));
  }
  return [...new Set(found)];
}`;
