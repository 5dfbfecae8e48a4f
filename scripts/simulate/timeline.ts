/** The one clock of a simulated world: nothing waits, and time goes on only when all that can be done now is done. */
export interface Timeline {
  /** Milliseconds since the world began. */
  readonly now: number;
  /** Runs something later; gives what calls it off. */
  after(ms: number, run: () => void): () => void;
  /** Lets the world go on until `isOver` says so; false when nothing is left that could happen. */
  drive(isOver: () => boolean): Promise<boolean>;
}

interface Event {
  readonly at: number;
  /** Of two events of one moment the one that was asked for first comes first. */
  readonly order: number;
  readonly run: () => void;
  isOff: boolean;
}

/** Node's own, since a world has one of its own. */
const { setImmediate: nextTurn } = globalThis;

export function createTimeline(): Timeline {
  const events: Event[] = [];
  let now = 0;
  let order = 0;
  const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(event: Event): void {
    let at = events.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, events[parent] as Event)) break;
      events[at] = events[parent] as Event;
      at = parent;
    }
    events[at] = event;
  }

  function shift(): Event | undefined {
    const [first] = events;
    const last = events.pop();
    if (first === undefined || last === undefined || events.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= events.length) break;
      if (child + 1 < events.length && isBefore(events[child + 1] as Event, events[child] as Event)) child += 1;
      if (!isBefore(events[child] as Event, last)) break;
      events[at] = events[child] as Event;
      at = child;
    }
    events[at] = last;
    return first;
  }

  return {
    get now() {
      return now;
    },
    after(ms, run) {
      const event: Event = { at: now + Math.max(ms, 0), order: order++, run, isOff: false };
      push(event);
      return () => {
        event.isOff = true;
      };
    },
    async drive(isOver) {
      for (;;) {
        // All that follows from the last event without waiting has happened after a turn of Node's own loop.
        await new Promise((resolve) => nextTurn(resolve));
        if (isOver()) return true;
        let event = shift();
        while (event?.isOff) event = shift();
        if (event === undefined) return false;
        now = event.at;
        event.run();
      }
    },
  };
}
