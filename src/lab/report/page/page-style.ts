/** The style of the page of a report. Its hash is in the policy of the page, which allows no other. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;font:16px/1.55 system-ui,sans-serif;
--page:light-dark(#fafaf8,#14161a);--card:light-dark(#fff,#1c1f25);--ink:light-dark(#1d2129,#e6e8ec);--soft:light-dark(#5b6270,#a0a7b4);
--line:light-dark(#e3e4e0,#313641);--accent:light-dark(#2456c7,#86adff);--band:light-dark(#2456c733,#86adff40);
--pass:light-dark(#1f7a4d,#53c28b);--fail:light-dark(#b4372f,#f08a80);--amber:light-dark(#8a5a00,#e5b567);
--wrong:light-dark(#c4473c,#e06c60);--silent:light-dark(#8d6bb8,#b595dd);--time:light-dark(#d98b1f,#e5a54a);--turns:light-dark(#a8791a,#c69a3c);
--token:light-dark(#7c8a1c,#a9b84c);--spent:light-dark(#3f8f9b,#62b9c5);--loop:light-dark(#b0568f,#d682b8);--denied:light-dark(#6b6f7a,#8f95a3);
--slow:light-dark(#7a5a44,#b08e75);--broken:light-dark(#b9bdc6,#565c69)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1.25rem 4rem;background:var(--page);color:var(--ink);overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:.18rem solid var(--accent);outline-offset:.15rem;border-radius:.2rem}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.4rem .8rem;z-index:2}
small{font-size:.82em;color:var(--soft);font-weight:400}
.eyebrow{margin:0;font-size:.8rem;letter-spacing:.08em;text-transform:uppercase;color:var(--soft)}
h1{margin:.1rem 0 .4rem;font-size:clamp(1.5rem,1.1rem + 2vw,2.2rem);line-height:1.2;letter-spacing:-.01em}
h1 small{font-size:.55em;letter-spacing:0}
h2{margin:0;font-size:1.2rem;line-height:1.3}
h3{margin:1rem 0 .3rem;font-size:.95rem}
.headline{margin:0 0 1.2rem;font-size:clamp(1.05rem,.95rem + .6vw,1.3rem);max-width:52rem}
.variant{font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:0}
.tiles div{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.7rem .9rem}
.tiles dt{font-size:.82rem;color:var(--soft)}
.tiles dd{margin:0;font-size:1.5rem;font-weight:600;line-height:1.25}
.tiles small{display:block;font-size:.8rem;line-height:1.35}
.warnings{margin:1rem 0 0;padding:.6rem 1rem .6rem 2rem;border-left:.25rem solid var(--amber);background:var(--card);border-radius:0 .4rem .4rem 0;font-size:.92rem}
nav{position:sticky;top:0;z-index:1;margin:1.2rem -1.25rem 0;padding:.5rem 1.25rem;background:var(--page);border-bottom:1px solid var(--line)}
nav ul{display:flex;flex-wrap:wrap;gap:.1rem .9rem;margin:0;padding:0;list-style:none;overflow-x:auto;white-space:nowrap;font-size:.92rem}
nav a{text-decoration:none;display:inline-block;padding:.15rem 0}
nav a:hover{text-decoration:underline}
main>section{background:var(--card);border:1px solid var(--line);border-radius:.7rem;padding:1.1rem 1.25rem 1.25rem;margin-top:1.1rem;scroll-margin-top:3.2rem}
.caption{margin:.25rem 0 .8rem;color:var(--soft);font-size:.9rem;max-width:52rem}
.row{display:grid;grid-template-columns:minmax(6rem,15rem) 1fr 12.5rem;gap:0 1rem;align-items:center;padding:.2rem 0}
.row .name{font-size:.92rem;line-height:1.3}
.row .figure{text-align:right;white-space:nowrap}
.axis-row{padding:0}
svg{display:block;overflow:visible}
svg text{font-size:12px;fill:var(--soft);text-anchor:middle}
.axis .first{text-anchor:start}
.axis .last{text-anchor:end}
.grid{stroke:var(--line);stroke-width:1}
.interval{fill:var(--band)}
.estimate{fill:var(--accent)}
.whisker{stroke:var(--band);stroke-width:8;stroke-linecap:round}
.median{stroke:var(--accent);stroke-width:2.5}
svg .letter{fill:var(--card);font-weight:700;font-size:12px}
svg .level{text-anchor:start}
circle.passed{fill:var(--pass);fill-opacity:.75}
circle.failed{fill:none;stroke:var(--fail);stroke-width:1.6}
rect{stroke:none}
.parts{display:block}
.ends{display:block;padding:0 3% .35rem}
.parts rect{stroke:var(--card);stroke-width:1.5}
rect.passed{fill:var(--pass)}rect.wrong-answer{fill:var(--wrong)}rect.no-answer{fill:var(--silent)}rect.time-limit{fill:var(--time)}
rect.turn-limit{fill:var(--turns)}rect.token-limit{fill:var(--token)}rect.cost-limit{fill:var(--spent)}rect.loop{fill:var(--loop)}
rect.denied{fill:var(--denied)}rect.verify-time-limit{fill:var(--slow)}rect.infrastructure{fill:var(--broken)}
svg .count{fill:light-dark(#fff,#101216);font-weight:600}
svg .on-infrastructure{fill:var(--ink)}
.scatter{max-width:46rem}
.keys{list-style:none;margin:.6rem 0;padding:0;font-size:.92rem;display:grid;gap:.15rem}
.keys.inline{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem}
.keys li{display:flex;gap:.45rem;align-items:center;flex-wrap:wrap}
.key{display:inline-grid;place-items:center;width:1.4rem;height:1.4rem;border-radius:50%;background:var(--accent);color:var(--card);font-size:.78rem}
.comparisons{list-style:none;margin:0;padding:0;display:grid;gap:.6rem}
.comparisons li{border-left:.25rem solid var(--line);padding:.1rem 0 .1rem .8rem}
.comparisons .shown{border-color:var(--pass)}
.comparisons p{margin:0}
.comparisons .pair{display:grid;grid-template-columns:1fr 18rem;gap:0 1.5rem;align-items:center}
.none-there{stroke:var(--soft);stroke-width:1.2;stroke-dasharray:3 3}
.open .interval{fill:light-dark(#6b728033,#9aa2b040)}
.open .estimate{fill:var(--soft)}
.comparisons+details{margin-top:.8rem}
.comparisons+details>ul{margin-top:.6rem}
.wide{overflow-x:auto;margin-top:.6rem}
table{border-collapse:collapse;font-size:.92rem;min-width:20rem}
table+table{margin-top:1.2rem}
caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{padding:.3rem .7rem;text-align:right;overflow-wrap:normal;border-bottom:1px solid var(--line);vertical-align:baseline}
th:first-child,td.label,.reasons th{text-align:left}
td{white-space:nowrap}
td small{margin-left:.35rem}
.reasons td:last-child{white-space:normal;min-width:14rem}
tbody th{overflow-wrap:break-word;min-width:9rem;max-width:26rem}
thead th{color:var(--soft);font-weight:600;font-size:.85rem;vertical-align:bottom}
tbody th{font-weight:500}
thead small{display:block}
.figures th,.figures td{padding:.3rem .45rem}
.tasks tbody th{position:sticky;left:0;background:var(--card)}
.tasks thead th{min-width:5.5rem;max-width:11rem;overflow-wrap:break-word}
.tasks td[class^=rate]{text-align:center;min-width:4.5rem;border:2px solid var(--card);border-radius:.3rem}
.tasks th:nth-child(n+2){text-align:center}
.tasks td a{color:inherit;text-decoration:none}
.tasks td a:hover{text-decoration:underline}
.tasks td small{color:inherit}
.tasks .none{text-align:center;color:var(--soft)}
${shades()}
details.task{border-top:1px solid var(--line)}
details.task>summary{padding:.5rem 0}
.task-name{font-weight:600}
summary{cursor:pointer;border-radius:.3rem}
.inside{scroll-margin-top:6.2rem}
details.task>.inside{padding:0 0 .8rem 1.1rem}
.inside:target{box-shadow:-.3rem 0 0 var(--accent)}
.prompt{color:var(--soft);font-size:.92rem;max-height:16rem;overflow:auto;border-left:.2rem solid var(--line);padding-left:.8rem;margin-bottom:.5rem}
details.rollout>summary{padding:.25rem 0;font-size:.95rem}
details.rollout>.inside{padding:.2rem 0 1rem 1.1rem}
.badge{display:inline-block;border-radius:1rem;padding:0 .6rem;font-size:.8rem;font-weight:600;border:1px solid}
.badge.passed{color:var(--pass)}
.badge.passed::before{content:'✓ '}
.badge.failed{color:var(--fail)}
.badge.failed::before{content:'✗ '}
.badge.infrastructure{color:var(--soft)}
.badge.infrastructure::before{content:'! '}
.inside dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;font-size:.9rem;margin:.4rem 0}
.inside dt{color:var(--soft)}
.inside dd{margin:0}
.note{margin:.3rem 0;font-weight:500}
code,.code{font:.85rem/1.45 ui-monospace,monospace}
code{background:light-dark(#0000000d,#ffffff14);border-radius:.2rem;padding:0 .2rem}
.code{white-space:pre-wrap;background:light-dark(#0000000a,#ffffff0d);border-radius:.4rem;padding:.6rem .8rem;max-height:28rem;overflow:auto;margin:.3rem 0}
.message,.prompt{white-space:normal}
.message p,.prompt p{margin:.4rem 0;white-space:pre-wrap}
ins,del{text-decoration:none}
ins{color:var(--pass)}
del{color:var(--fail)}
footer{margin-top:1.5rem;color:var(--soft);font-size:.85rem}
@media (max-width:56rem){
.row{grid-template-columns:1fr auto;padding:.35rem 0}
.row .plot{grid-column:1/-1;grid-row:2}
.axis-row .name,.axis-row .figure{display:none}
.comparisons .pair{grid-template-columns:1fr}
}
@media (max-width:44rem){
body{padding:1rem .9rem 3rem}
nav{margin:1rem -.9rem 0;padding:.4rem .9rem}
nav ul{flex-wrap:nowrap}
main>section{padding:.9rem .9rem 1rem;border-radius:.5rem}
.tiles{grid-template-columns:1fr 1fr}
.tiles dd{font-size:1.25rem}
.tasks tbody th{min-width:7rem;max-width:9rem}
.tasks .language{display:none}
.tasks thead th{min-width:4rem;max-width:6.5rem;overflow-wrap:anywhere}
th,td{padding:.3rem .4rem}
}
@media print{
nav,.skip,details.task:not([open]),#rollouts:not(:has(details[open])){display:none}
main>section,tr,.row,details.rollout{break-inside:avoid}
#tasks,#rollouts,#not-counted{break-inside:auto}
.code,.prompt{max-height:none}
.wide{overflow:visible}
table{font-size:.72rem;min-width:0}
thead th{font-size:inherit}
th,td{padding:.2rem .3rem;white-space:normal}
tbody th{min-width:5rem}
td small{display:block;margin:0}
.figures{font-size:.64rem}
.figures th,.figures td{padding:.2rem}
}
`;

/** The colours of the cells of the task table: red to green, light enough for text in light, dark enough in dark. */
function shades(): string {
  return Array.from({length: 11}, (_, tenth) => {
    const hue = Math.round(8 + tenth * 13.5);
    return `.rate-${tenth}{background:light-dark(hsl(${hue} 62% 88%),hsl(${hue} 38% 22%))}`;
  }).join('\n');
}
