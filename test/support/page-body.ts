/**
 * Returns the body of an HTML page for a golden file, with a line for each part. The host is `HOST`, because the port of a sandbox varies.
 */
export function pageBody(page: string, host: string): string {
  const body = page.slice(page.indexOf('<main>'), page.indexOf('</main>')).replaceAll(host, 'HOST');
  return body.replace(/(?<!^|\n)(?=<(?:section|table|thead|tbody|tfoot|tr|g|rect|circle|dl|ul|ol|li|details|svg|p)\b)/g, '\n');
}
