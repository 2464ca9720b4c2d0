"""Attack: the intruder's chair. What somebody who knows some attributes still finds out."""

from microagg.ui import (
    atrisk,
    attack,
    chooser,
    exposure,
    frame,
    intruder,
    linking,
    renewed,
    session,
    shown,
    subject,
    verdict,
    widgets,
)

frame.enter(__file__)

panel = chooser.sidebar()

with shown.trouble():
    data = chooser.chosen(panel)
    with panel:
        release = subject.release(data, "Under attack")
        who = intruder.panel(release)
    findings, now = verdict.of(release), attack.attack(release, who)
    drawn = renewed.Renewal((session.settings(), who, now.looked is None), "verdict_and_figures", "attacked")
    with drawn.part("verdict_and_figures"):
        verdict.draw(findings, release.data)
        attack.figures(now, exposed=findings.named("k, exposed").status)
        linking.line(now.release, now.result, now.sets)
    with drawn.part("attacked"):
        attack.status(now)
        for tab, draw in zip(
            widgets.tabs(attack.tab(), attack.TABS),
            (atrisk.records, exposure.sets, exposure.attributes),
            strict=True,
        ):
            if tab.open:
                with tab, shown.trouble():
                    draw(now)
