import type { AbsenceView } from './absence-view.ts';
import { blockDrawer } from './blocks.ts';
import { neutraliseLine } from './neutralise.ts';
import { loadStyles } from './styles.ts';

/** Who is away in some days, for somebody who hears it, and where no week fits: a block for each person, each absence in words. */
export async function absenceBlocks({ title, days, people, keepsAll }: AbsenceView, color: boolean): Promise<string> {
  const draw = blockDrawer(await loadStyles(color));
  const blocks = people
    .filter(({ shown, stretches }) => keepsAll || !shown || stretches.length > 0)
    .map(({ name, shown, stretches }) => {
      const away = !shown ? ['not shown to you'] : stretches.length === 0 ? ['not in these days'] : stretches;
      return draw([['Person', neutraliseLine(name)], ...away.map((text) => ['Away', neutraliseLine(text)] as const)]);
    });
  const off = days.flatMap(({ date, off: names }) => names.map((name) => ['Holiday', `${date}, ${neutraliseLine(name)}`] as const));
  const none = blocks.length === 0 ? ['Nobody is away.\n'] : [];
  return [`${neutraliseLine(title)}\n`, ...none, ...blocks, ...(off.length === 0 ? [] : [draw(off)])].join('\n');
}
