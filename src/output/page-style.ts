/**
 * The style sheet of every HTML page. The two series are blue and amber, and differ in lightness. The amber series has hatching, which
 * shows on a black-and-white print. Unknown values are grey. On a screen of at most 36rem, the figures of a row in a wide table are below
 * its name.
 */
export const PAGE_STYLE = `
:root{--page:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--card:#f6f8fa;--bill:#1f6feb;--rest:#e0a030;--hatch:#fff}
@media (prefers-color-scheme:dark){:root{--page:#14171c;--ink:#e6e9ed;--soft:#9aa4b0;--line:#333a44;--card:#1d222a;--bill:#5b9dff;--rest:#c98a1f;--hatch:#14171c}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 3rem;overflow-wrap:break-word}
main:has(.month){max-width:76rem}
h1{font-size:1.5rem;line-height:1.25;margin:0}
h2{font-size:1.05rem;margin:2.25rem 0 .75rem}
header p,small,.none,.nil,.off-days,summary{color:var(--soft)}
time{white-space:nowrap}
header p{margin:.25rem 0 0}
small{font-size:.85em;font-weight:400}
.say{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.5rem 0}
.tiles div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem}
dt{color:var(--soft);font-size:.85rem}
dd{margin:0;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums}
dd small{white-space:nowrap;font-size:.8rem}
.bill{background:var(--bill);fill:var(--bill)}
.open{background:var(--line);fill:var(--line)}
.other{background:repeating-linear-gradient(135deg,var(--rest) 0 4px,var(--hatch) 4px 5px);fill:url(#hatch)}
.chart{display:block;width:100%;height:250px;padding:0 1.2rem 0 3.2rem;overflow:visible}
.chart text{fill:var(--soft);font-size:.8rem}
.rest{fill:var(--rest)}
.hatch{stroke:var(--hatch);stroke-width:1.5}
.grid{stroke:var(--line)}
.axis,.now{stroke:var(--soft)}
.now{stroke-dasharray:5 3}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
.solid{stroke:var(--bill)}.area{fill:var(--bill);opacity:.14}.dot{fill:var(--bill)}
.bound{stroke:var(--rest);stroke-width:2}
.ahead{stroke:var(--soft);stroke-dasharray:2 7}
.target{stroke:var(--ink);stroke-width:2}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;margin:1rem 0;padding:0;color:var(--soft)}
.legend li{display:flex;align-items:center;gap:.4rem}
.legend svg{flex:none}
.phone{display:none}
.bars{list-style:none;margin:0;padding:0}
.bars li{display:grid;grid-template-columns:minmax(7rem,15rem) 1fr 8.5rem;gap:.1rem .75rem;align-items:center;padding:.3rem 0}
.name{overflow-wrap:anywhere}
.bar{display:flex;height:1.1rem}
.value{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.facts{margin:0 0 .5rem}
details{margin-top:.5rem}summary{cursor:pointer}
.wide{overflow-x:auto;position:relative}
.long{content-visibility:auto;contain-intrinsic-size:auto 9000px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child{text-align:left;white-space:normal;min-width:9rem;overflow-wrap:anywhere}
thead th{color:var(--soft);font-weight:600}
tbody th{font-weight:400}
.depth0:has(+.depth1)>*{font-weight:600}
.depth1 th{padding-left:1.8rem}.depth2 th{padding-left:3rem}.depth3 th{padding-left:4.2rem}
tfoot th,tfoot td{font-weight:600;border-top:2px solid var(--soft)}
tfoot tr+tr>*{border-top:0}
.left{text-align:left}
.month{width:auto;table-layout:fixed;border-collapse:separate;border-spacing:0}
.month th,.month td{width:2rem;min-width:2rem;height:1.8rem;padding:0;text-align:center;font-size:.75rem;line-height:1.2;position:relative;border-right:1px solid var(--line)}
.month thead th{padding:.2rem 0}
.month th:first-child{width:10.5rem;min-width:10.5rem;max-width:10.5rem;padding:.2rem .6rem .2rem 0;text-align:left;font-size:.85rem;position:sticky;left:0;background:var(--page);z-index:1}
.month abbr{text-decoration:none}
.month td.none{text-align:left;padding-left:.6rem}
.free{background:color-mix(in srgb,var(--line) 60%,var(--page))}
.away{font-weight:600}
.away.day{background:var(--bill);color:var(--page)}
.away.am{box-shadow:inset .3rem 0 0 var(--bill)}.month .am,.swatch.am{padding-left:.3rem}
.away.pm{box-shadow:inset -.3rem 0 0 var(--bill)}.month .pm,.swatch.pm{padding-right:.3rem}
.away.part{box-shadow:inset 0 -.3rem 0 var(--bill)}
.away.wanted{background:none;color:var(--ink);outline:2px dashed var(--bill);outline-offset:-2px}
.swatch{display:inline-grid;place-items:center;width:1.5rem;height:1.5rem;font-size:.75rem;border:1px solid var(--line)}
.off-days{margin:.4rem 0 0;font-size:.85rem}
.letterhead{margin:0 0 2.5rem}
.letterhead strong{font-size:1.1em;color:var(--ink)}
.address{margin:.75rem 0 0}
.sheet th,.sheet td{text-align:left;vertical-align:top;white-space:normal}
.sheet .day{white-space:nowrap}
.sheet th.day{min-width:0}
.sheet .who{min-width:9rem}
.sheet .what{width:100%;min-width:12rem;overflow-wrap:anywhere}
.sheet .what small{display:block}
.sheet .num{text-align:right;white-space:nowrap}
.sheet .group th{font-weight:600;padding-top:1.1rem}
.sheet .sum>*{font-weight:600}
.sheet .inner th{padding-left:1.8rem}
.sheet .part>*{font-weight:400;color:var(--soft)}
@media screen and (max-width:36rem){
.phone{display:inline}.desk{display:none}
.bars li{grid-template-columns:1fr auto;align-items:end;padding:.5rem 0}
.bar{grid-area:2/1/auto/-1}
th:first-child{min-width:6rem}
.stacks thead{position:absolute;clip-path:inset(50%)}
.stacks,.stacks tbody,.stacks tfoot,.sheet,.sheet thead,.sheet tbody,.sheet tfoot{display:block}
.stacks tr{display:flex;flex-wrap:wrap;gap:.15rem .6rem;padding:.5rem 0;border-bottom:1px solid var(--line)}
.stacks th,.stacks td,.sheet th,.sheet td{padding:0;border:0;white-space:normal;text-align:left}
.stacks th{flex-basis:100%}
.stacks td{min-width:4.75rem}
.stacks td::before{content:attr(data-label);display:block;color:var(--soft);font-size:.8rem;font-weight:400}
.sparse .nil{display:none}
.stacks .depth1{padding-left:1rem}.stacks .depth2{padding-left:2rem}.stacks .depth3{padding-left:3rem}
.stacks tfoot,.sheet tfoot{border-top:2px solid var(--soft)}
.month th:first-child{width:7rem;min-width:7rem;max-width:7rem}
.sheet tr{display:grid;grid-template-columns:auto minmax(0,1fr) auto;column-gap:.6rem;padding:.4rem 0;border-bottom:1px solid var(--line);font-size:.9rem}
.sheet.priced tr{grid-template-columns:auto minmax(0,1fr) auto 4.6rem}
.sheet .what{grid-area:2/1/auto/-1;min-width:0}
.sheet .who{min-width:0;overflow-wrap:anywhere}
.sheet .num{text-align:right;white-space:nowrap}
.sheet .group th{grid-column:1/-1;padding-top:.6rem}
.sheet .sum th,.sheet .part th{grid-column:1/3}
}
@page calendar{size:A4 landscape;margin:10mm}
@page sheet{margin:18mm 16mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt system-ui,sans-serif;color:#444}}
@media print{
:root{color-scheme:light;--page:#fff;--ink:#000;--soft:#444;--line:#bbb;--card:#fff;--bill:#1f6feb;--rest:#e0a030;--hatch:#fff}
body{font-size:11pt}
body:has(.month){page:calendar}
body:has(.sheet){page:sheet}
main{max-width:none;padding:0 1px}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
section:has(>.chart),.month,tr,.bars li{break-inside:avoid}
thead{display:table-header-group}tfoot{display:table-row-group}h2,.group,.depth0:has(+.depth1){break-after:avoid}.sheet .sum{break-before:avoid}
.wide{overflow:visible}
.long{content-visibility:visible}
details{display:none}
table{font-size:9pt}th,td{padding:.25rem .35rem}th:first-child{min-width:6rem}
.sheet{font-size:10pt}
.month th,.month td{width:7.4mm;min-width:7.4mm;height:6.2mm;font-size:7.5pt}
.month th:first-child{width:44mm;min-width:44mm;max-width:44mm;font-size:8.5pt;position:static}
}
`;
