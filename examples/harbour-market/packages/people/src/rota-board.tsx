import type { ReactNode } from 'react';
import type { Shift } from './shift';

interface RotaBoardProps {
  shifts: Shift[];
  /** Drawn when nobody is planned in. */
  empty?: ReactNode;
}

/** First element of a list that passes, for any kind of element. */
const firstWhere = <T,>(items: T[], test: (item: T) => boolean): T | undefined => items.find(test);

/** The board beside the staff door: one row a shift. */
export function RotaBoard({ shifts, empty = <p>Nobody is planned in ☕</p> }: RotaBoardProps) {
  const next = firstWhere(shifts, (shift) => shift.startsAt > new Date());
  if (shifts.length === 0) return <>{empty}</>;
  return (
    <table id="rota-board" aria-label="Rota">
      <tbody>
        {shifts.map((shift) => (
          <tr key={shift.id} className={shift === next ? 'next' : undefined}>
            <td>{shift.label}</td>
            <td>{shift.hours().toFixed(1)} h</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
