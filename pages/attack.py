"""Attack: the intruder's chair. What somebody who knows some attributes still finds out."""

from microagg.ui.attack import attack, exposure, intruder, records_at_risk
from microagg.ui.components import display, widgets
from microagg.ui.results import current_release, linkage_sample, renewal, verdict
from microagg.ui.shell import data_chooser, frame
from microagg.ui.state import session

frame.enter(__file__)

panel = data_chooser.sidebar()

with display.trouble():
    data = data_chooser.chosen(panel)
    with panel:
        release = current_release.release(data, "Under attack")
        who = intruder.panel(release)
    findings, now = verdict.of(release), attack.attack(release, who)
    drawn = renewal.Renewal((session.settings(), who, now.looked is None), "verdict_and_figures", "attacked")
    with drawn.part("verdict_and_figures"):
        verdict.draw(findings, release.data)
        attack.figures(now, exposed=findings.named("k, exposed").status)
        linkage_sample.line(now.release, now.result, now.sets)
    with drawn.part("attacked"):
        attack.status(now)
        for tab, draw in zip(
            widgets.tabs(attack.tab(), attack.TABS),
            (records_at_risk.records, exposure.sets, exposure.attributes),
            strict=True,
        ):
            if tab.open:
                with tab, display.trouble():
                    draw(now)
