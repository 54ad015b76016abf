/** The frame of the hosted page; its script fills it. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Confirm your wallet</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
</head>
<body>
<main>
<h1>Confirm your wallet</h1>
<p id="state" role="status">Loading …</p>
<section id="facts" hidden></section>
<div id="flows"></div>
<p id="trouble" role="alert" hidden></p>
<p id="back" hidden></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
</body>
</html>
`;

export const PAGE_STYLE = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
#state { font-weight: 600; }
section { border: 1px solid #8886; border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
dt { opacity: .75; font-size: .875rem; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
label { display: block; margin: .5rem 0 .25rem; }
textarea { width: 100%; box-sizing: border-box; font: .875rem/1.4 ui-monospace, monospace; }
button { font: inherit; min-height: 2.75rem; padding: 0 1rem; margin: .5rem .5rem 0 0; cursor: pointer; }
#trouble { color: #b3261e; font-weight: 600; }
@media (prefers-color-scheme: dark) { #trouble { color: #f2b8b5; } }
`;
