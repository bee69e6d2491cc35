"""Drives a headless Chromium over its DevTools pipe, without network and with software graphics. Python only."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

import numpy as np

FLAGS = ["--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--host-resolver-rules=MAP * ~NOTFOUND", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
         "--disable-dev-shm-usage", "--force-color-profile=srgb"]
SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
TIMEOUT = 60


def program():
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Chromium:
    """One browser with one tab. `errors` and `requests` collect what the page complains of and asks for."""

    def __init__(self, webgl=True):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.errors, self.requests, self.number = [], [], 0
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        graphics = SOFTWARE if webgl else ["--disable-gpu", "--disable-3d-apis"]

        def pipes():  # the browser reads from 3 and writes to 4
            os.dup2(to_read, 13), os.dup2(to_write, 14)
            os.dup2(13, 3), os.dup2(14, 4)

        self.process = subprocess.Popen([program(), *FLAGS, *graphics, f"--user-data-dir={self.folder.name}", "about:blank"],
                                        preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        self.rest, self.session = b"", None
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.write_end), os.close(self.read_end)
        self.folder.cleanup()

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        number = self.number
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self):
        while b"\0" not in self.rest:
            read = os.read(self.read_end, 1 << 20)
            if not read:
                raise RuntimeError("the browser has gone away")
            self.rest += read
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, about):
        if event == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(about["exceptionDetails"])[:1000])
        elif event == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(about["args"])[:1000])
        elif event == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(about["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"][:200])

    def evaluate(self, script):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:1000])
        return answer["result"].get("value")

    def wait_for(self, script):
        end = time.monotonic() + TIMEOUT
        while not self.evaluate(script):
            if time.monotonic() > end:
                raise RuntimeError(f"waited {TIMEOUT} s for {script}; the page complains: {self.errors}")
            time.sleep(0.05)

    def open(self, path, width, height, scale=1, dark=False, phone=False):
        self.errors.clear(), self.requests.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("location.protocol === 'file:' && document.readyState === 'complete'")

    def picture(self, selector=None, whole=False):
        """PNG of what is in sight, of one element, or of the whole page."""
        options = {"format": "png"}
        if selector:
            box = self.evaluate(f"(e => {{ const b = e.getBoundingClientRect(); return {{x: b.x + scrollX, y: b.y + scrollY, width: b.width, "
                                f"height: b.height, scale: 1}}; }})(document.querySelector('{selector}'))")
            options.update(clip=box, captureBeyondViewport=True)
        if whole:
            options.update(captureBeyondViewport=True)
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options["clip"] = {**size, "scale": 1}
        return base64.b64decode(self.call("Page.captureScreenshot", **options)["data"])

    def pixels(self, selector):
        """Every pixel of an element, one number each, red in its lowest byte; the browser itself takes the PNG apart."""
        text = base64.b64encode(self.picture(selector)).decode()
        plain = self.evaluate(f"""(async () => {{
            const image = new Image();
            image.src = 'data:image/png;base64,{text}';
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d', {{willReadFrequently: true}});
            pen.drawImage(image, 0, 0);
            const data = pen.getImageData(0, 0, image.width, image.height).data, parts = [];
            for (let i = 0; i < data.length; i += 8192) parts.push(String.fromCharCode(...data.subarray(i, i + 8192)));
            return btoa(parts.join(''));
        }})()""")
        return np.frombuffer(base64.b64decode(plain), "<u4")

    def middle(self, selector):
        """Of an element, once it is in sight."""
        return self.evaluate(f"(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); "
                             f"return [b.x + b.width / 2, b.y + b.height / 2]; }})(document.querySelector('{selector}'))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        self.drag(selector, 0, 0)

    def drag(self, selector, right, down):
        x, y = self.middle(selector)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for part in (0.5, 1) if right or down else ():
            self.mouse("mouseMoved", x + part * right, y + part * down, button="left", buttons=1)
        self.mouse("mouseReleased", x + right, y + down, button="left", clickCount=1)

    def wheel(self, selector, down):
        x, y = self.middle(selector)
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=down)
        self.settle()

    def swipe(self, selector, right, down):
        """With one finger."""
        x, y = self.middle(selector)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in (0.5, 1):
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + part * right, "y": y + part * down}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.settle()

    def press(self, key):
        code = {"ArrowRight": 39, "ArrowLeft": 37, " ": 32}[key]
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def settle(self):
        """Until what was asked for has been drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
