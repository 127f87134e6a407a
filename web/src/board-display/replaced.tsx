// A text that is replaced and never moved: one that ends at an edge begins elsewhere when it becomes longer.

export function Replaced({
  as: Element = 'span',
  class: className,
  text,
}: {
  as?: 'b' | 'span';
  class?: string;
  text: string;
}) {
  return (
    <Element key={text} class={className}>
      {text}
    </Element>
  );
}
