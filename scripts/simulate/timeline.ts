/** The clock of a scenario. Time advances only when nothing else can run. */
export interface Timeline {
  /** The milliseconds since the start of the scenario. */
  readonly now: number;
  /** Runs a function after a time. Returns a function that cancels the run. */
  after(ms: number, run: () => void): () => void;
  /** Runs events until `isOver` returns true. Returns false if there are no more events. */
  drive(isOver: () => boolean): Promise<boolean>;
}

interface Event {
  readonly at: number;
  /** The order of events at the same time: the event that was scheduled first runs first. */
  readonly order: number;
  readonly run: () => void;
  isOff: boolean;
}

/** Node’s original function, because scenarios replace it. */
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
        // After one turn of Node’s event loop, everything that follows from the last event without waiting has happened.
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
