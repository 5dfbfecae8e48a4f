export class ProxyFailure extends Error {
  readonly code = 'SVC_PROXY';
  readonly proxy: string;
  readonly status: number | undefined;

  constructor(proxy: string, status: number | undefined, cause?: unknown) {
    super(cause instanceof Error ? cause.message : `the proxy ${proxy} answered ${status}`, { cause });
    this.proxy = proxy;
    this.status = status;
  }
}
