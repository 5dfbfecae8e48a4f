/** The failure of a proxy to open a tunnel; a failure of the network. */
export class ProxyFailure extends Error {
  readonly code = 'SVC_PROXY';
  /** `proxy.example.com:3128` */
  readonly proxy: string;
  /** The status of its answer; undefined when none came. */
  readonly status: number | undefined;

  constructor(proxy: string, status: number | undefined, cause?: unknown) {
    super(cause instanceof Error ? cause.message : `the proxy ${proxy} answered ${status}`, { cause });
    this.proxy = proxy;
    this.status = status;
  }
}
