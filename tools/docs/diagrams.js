// Mermaid blocks are readable as they are. Where mermaid.min.js lies beside this file they become pictures.
const blocks = document.querySelectorAll('pre > code.language-mermaid');
if (blocks.length > 0) {
  const here = document.currentScript.src;
  const script = document.createElement('script');
  script.src = new URL('mermaid.min.js', here);
  script.onload = () => {
    for (const block of blocks) {
      const picture = document.createElement('div');
      picture.className = 'mermaid';
      picture.textContent = block.textContent;
      block.parentElement.replaceWith(picture);
    }
    window.mermaid.initialize({ startOnLoad: false });
    window.mermaid.run();
  };
  document.head.append(script);
}
