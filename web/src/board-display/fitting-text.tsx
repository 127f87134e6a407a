// A text in one line that gives way to a shorter one where it does not fit. It is measured in its own place and font.
import { Component } from 'preact';

interface FittingTextProps {
  as: 'h2' | 'span';
  class?: string;
  /** The longest first. The last is cut off where not even that one fits. */
  texts: readonly string[];
}

/** A text drawn in the system's font is measured again when its own has come. */
let fontsLoaded = 0;
if ('fonts' in document) {
  document.fonts.addEventListener('loadingdone', () => {
    fontsLoaded += 1;
  });
}

/** Its element must have the same width whatever the text is. */
export class FittingText extends Component<FittingTextProps> {
  /** What the shown text was chosen for. */
  chosenFor = '';

  override componentDidMount(): void {
    this.componentDidUpdate();
  }

  override componentDidUpdate(): void {
    const { base, props, chosenFor } = this;
    const element = base as Element;
    const line = element.firstElementChild as Element;
    const { width, height } = element.getBoundingClientRect();
    this.chosenFor = [width, height, fontsLoaded, ...props.texts].join('\n');
    if (this.chosenFor === chosenFor) return;
    for (const text of props.texts) {
      // The text node itself stays: it is Preact's.
      (line.firstChild as Text).data = text;
      if (line.getBoundingClientRect().width <= width) return;
    }
  }

  override render({ as: Element, class: className, texts }: FittingTextProps) {
    return (
      <Element class={className}>
        <span>{texts[0]}</span>
      </Element>
    );
  }
}
